import { Agent, get } from "node:http";
import process from "node:process";

// Normal users, in a process of their own: for as many milliseconds as they are
// told they ask at an even pace, whether or not the last one has an answer yet,
// and tell how long each answer took from the moment it was due.

/** How many ask in a second, and every how many-th of them opens a connection. */
const RATE = 400, NEW = 10;

/** How many milliseconds they wait for an answer. */
const PATIENCE = 10_000;

const [target] = process.argv.slice(2);

function ask(agent: Agent | false): Promise<void> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: "Bearer demo-curator" };
    const signal = AbortSignal.timeout(PATIENCE);
    get(target!, { agent, headers, signal }, (response) => {
      let length = 0;
      response.on("data", (data: Uint8Array) => length += data.length);
      response.on("end", () => {
        const { statusCode, headers } = response;
        if (
          statusCode === 200 && length === Number(headers["content-length"])
        ) {
          resolve();
        } else reject(new Error(`${statusCode}, ${length} bytes`));
      });
      response.on("error", reject);
    }).on("error", reject);
  });
}

process.on("message", (milliseconds: number) => {
  const agent = new Agent({ keepAlive: true });
  const times: number[] = [];
  const failures: string[] = [];
  const answers: Promise<void>[] = [];
  const start = performance.now();

  const timer = setInterval(() => {
    const now = performance.now();
    for (;;) {
      const due = start + answers.length * 1000 / RATE;
      if (due > now || due > start + milliseconds) break;
      const isNew = answers.length % NEW === 0;
      answers.push(
        ask(isNew ? false : agent).then(
          () => void times.push(performance.now() - due),
          (error) => void failures.push(String(error)),
        ),
      );
    }
    if (now > start + milliseconds) finish();
  }, 1);

  async function finish(): Promise<void> {
    clearInterval(timer);
    await Promise.all(answers);
    agent.destroy();
    process.send!({ times, failures });
  }
});
