import { PROGRAM } from "../stores/catalog/program.ts";

/** The README.md that `init` creates. It contains no tokens except the demo tokens. */
export const README: string = `# Plants and users

\`plants.json\` contains the plants. \`tokens.json\` contains the users, the plants
that each user can see, and the SHA-256 digests of their tokens. The server reloads
both files when they change.

The token for \`curator\` was printed once and is not stored. To create a token for
USER, or to list the ID of each token (the first 8 digits of its digest), run:

\`\`\`sh
${PROGRAM} token add USER
${PROGRAM} token list
\`\`\`

The demo tokens are not valid here. They belong to users in the built-in demo data:

| Demo token         | User        |
| ------------------ | ----------- |
| \`demo-curator\`     | curator     |
| \`demo-florist\`     | florist     |
| \`demo-expired\`     | florist     |
| \`demo-visitor\`     | visitor     |
| \`demo-slow\`        | slow        |
| \`demo-flaky\`       | flaky       |
| \`demo-unavailable\` | unavailable |
`;
