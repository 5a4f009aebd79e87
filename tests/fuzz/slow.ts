import { connect } from "node:net";

/** What a server that listens on this port answers to heads that never end: a status each, 0 for none. */
export function sendSlowly(
  port: number,
  count: number,
): Promise<readonly number[]> {
  return Promise.all(
    Array.from({ length: count }, (_, index) => sendOne(port, index)),
  );
}

function sendOne(port: number, index: number): Promise<number> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    let received = "";
    let sent = 0;
    const head = `GET /plants HTTP/1.1\r\nHost: slow\r\nX: ${"x".repeat(90)}`;
    const drip = setInterval(() => {
      // Some say nothing at all, some a little at a time.
      if (index % 4 > 0) socket.write(head[sent++] ?? "x");
    }, 300 * (index % 4));
    const timer = setTimeout(() => socket.destroy(), 20_000);
    socket.on("data", (data) => received += data.toString("latin1"));
    socket.on("error", () => {});
    socket.on("close", () => {
      clearInterval(drip);
      clearTimeout(timer);
      const isRefusal = /\r\n\r\n\{"error":408,"message":"[^"]+"\}$/.test(
        received,
      );
      const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(received)?.[1] ?? 0);
      resolve(isRefusal || status !== 408 ? status : 0);
    });
  });
}
