/** Prometheus' time: seconds since 1970. */
export function secondsOf(date: Date): number {
  return date.getTime() / 1_000
}
