/** A finding of the doctor. */
export interface Finding {
  /** The checked area, e.g. `database` or a networkId. */
  readonly area: string
  readonly state: 'good' | 'warning' | 'problem'
  /** The finding, without secrets: of URLs only the host. */
  readonly what: string
  /** What to change; absent if there is nothing to change. */
  readonly advice?: string
}

/** Collects the findings of an area. */
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
