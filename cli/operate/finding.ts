/** What the doctor has found. */
export interface Finding {
  /** What was looked at, e.g. `database` or a networkId. */
  readonly area: string
  readonly state: 'good' | 'warning' | 'problem'
  /** What is so. It names no secret: of URLs the host only. */
  readonly what: string
  /** What to change; absent when all is well. */
  readonly advice?: string
}

/** Collects what is found in one area. */
export class Findings {
  readonly all: Finding[] = []

  constructor(private readonly area: string) {}

  good(what: string): void {
    this.all.push({ area: this.area, state: 'good', what })
  }

  warning(what: string, advice: string): void {
    this.all.push({ area: this.area, state: 'warning', what, advice })
  }

  problem(what: string, advice: string): void {
    this.all.push({ area: this.area, state: 'problem', what, advice })
  }
}
