import { readdirSync, readFileSync } from "node:fs";

// Reads process statistics from Linux. A process that exits during a read counts
// as empty.

/** Returns the CPU time of a process tree in nanoseconds, from schedstat, because other counters have a resolution of 10 ms. */
export function cpuTime(pid: number): number {
  return sum(
    tree(pid).flatMap((each) =>
      list(`/proc/${each}/task`).map((thread) =>
        parseInt(read(`/proc/${each}/task/${thread}/schedstat`) || "0")
      )
    ),
  );
}

/** Returns the resident memory of a process tree and the sum of the peaks, in bytes. */
export function memory(pid: number): { resident: number; peak: number } {
  const all = tree(pid).map((each) => read(`/proc/${each}/status`));
  const measure = (field: RegExp) =>
    sum(all.map((status) => Number(field.exec(status)?.[1] ?? 0) * 1024));
  return {
    resident: measure(/VmRSS:\s+(\d+)/),
    peak: measure(/VmHWM:\s+(\d+)/),
  };
}

/** Returns the IDs of a process and its descendants. */
export function tree(pid: number): number[] {
  const children = list(`/proc/${pid}/task`).flatMap((thread) =>
    read(`/proc/${pid}/task/${thread}/children`).split(" ").filter(Boolean)
  );
  return [pid, ...children.flatMap((child) => tree(Number(child)))];
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

function list(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function read(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
