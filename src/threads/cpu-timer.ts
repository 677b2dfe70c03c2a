/** Starts to measure the CPU time of this thread. Returns a function that returns the time used since then, in ms. */
export function startCpuTimer(): () => number {
  const start = process.threadCpuUsage();
  return () => {
    const { user, system } = process.threadCpuUsage(start);
    return (user + system) / 1000;
  };
}
