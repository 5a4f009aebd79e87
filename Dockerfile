# docker build -t plant-store .
# docker run --rm --read-only -p 127.0.0.1:8000:8000 plant-store
FROM node:22-slim

WORKDIR /app
COPY package.json package-lock.json .npmrc deno.json tsconfig.json tsconfig.build.json mod.ts ./
COPY std std
COPY tools tools
COPY src src
# The demo files: everybody knows their tokens, and the service warns of it. For
# any but a demonstration mount your own over them: -v /srv/plants:/app/data:ro
COPY data data
RUN npm ci && npm run build && npm prune --omit=dev

# From outside of the container, its loopback can't be reached.
ENV HOST=0.0.0.0 PORT=8000
EXPOSE 8000
USER node

HEALTHCHECK --interval=10s --timeout=3s --start-period=5s CMD ["node", "-e", "const { PORT, BASE_PATH = '' } = process.env; fetch(`http://127.0.0.1:${PORT}${BASE_PATH}/healthz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
STOPSIGNAL SIGTERM
# No shell and no npm in between: signals reach the service.
ENTRYPOINT ["node", "dist/cli.js"]
