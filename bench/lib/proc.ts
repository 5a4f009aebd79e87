import { readdirSync, readFileSync } from "node:fs";

// What Linux knows of a process and of all that it started: prism and the like
// may fork, and a server may have a worker.

/** The process and its descendants. */
function tree(pid: number): number[] {
  const children = new Map<number, number[]>();
  for (const entry of readdirSync("/proc")) {
    if (!/^\d+$/.test(entry)) continue;
    const stat = read(`/proc/${entry}/stat`);
    // The command, in parentheses, may hold spaces: the rest follows it.
    const parent = Number(
      stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1],
    );
    const siblings = children.get(parent);
    if (siblings) siblings.push(Number(entry));
    else children.set(parent, [Number(entry)]);
  }
  const found = [pid];
  for (const each of found) found.push(...children.get(each) ?? []);
  return found;
}

/** A file of /proc, empty where its process or thread has just ended. */
function read(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}

/**
 * The CPU time of a process tree in nanoseconds. utime and stime count in ticks
 * of 10 ms, which is too coarse for a round of a second: schedstat counts
 * nanoseconds, by thread.
 */
export function cpuTime(pid: number): number {
  let sum = 0;
  for (const each of tree(pid)) {
    let threads: string[] = [];
    try {
      threads = readdirSync(`/proc/${each}/task`);
    } catch {
      // It has just ended.
    }
    for (const thread of threads) {
      const stat = read(`/proc/${each}/task/${thread}/schedstat`);
      sum += Number(stat.split(" ")[0]);
    }
  }
  return sum;
}

/** What a process tree holds of memory, in bytes. */
export interface Memory {
  /** What is resident now. */
  readonly resident: number;
  /** The most that was ever resident, each process at its own peak. */
  readonly peak: number;
}

/** Reads the memory of a process tree. */
export function memory(pid: number): Memory {
  const sum = { resident: 0, peak: 0 };
  for (const each of tree(pid)) {
    const status = read(`/proc/${each}/status`);
    sum.resident += kibibytes(status, "VmRSS") * 1024;
    sum.peak += kibibytes(status, "VmHWM") * 1024;
  }
  return sum;
}

function kibibytes(status: string, field: string): number {
  return Number(new RegExp(`^${field}:\\s+(\\d+)`, "m").exec(status)?.[1] ?? 0);
}
