/** What happened, an event a line. Equal seeds have equal traces, and so equal hashes. */
export class Trace {
  private readonly hasher = new Bun.CryptoHasher('sha256')
  private readonly last: string[] = []
  count = 0

  constructor(
    private readonly onLine: (line: string) => void = () => {},
    /** How many of the newest lines are kept for a report. */
    private readonly kept = 40,
  ) {}

  add(line: string): void {
    this.count += 1
    this.hasher.update(`${line}\n`)
    this.onLine(line)
    this.last.push(line)
    if (this.last.length > 2 * this.kept) this.last.splice(0, this.kept)
  }

  /** The hash of all lines so far, which may grow on. */
  hash(): string {
    return this.hasher.copy().digest('hex').slice(0, 16)
  }

  newest(): readonly string[] {
    return this.last.slice(-this.kept)
  }
}

/** A few characters that stand for much text. */
export function shortHash(text: string | Uint8Array): string {
  return Bun.hash.xxHash32(text).toString(16).padStart(8, '0')
}
