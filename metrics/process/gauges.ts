import { Gauge, type Registry } from 'prom-client'

/** A figure of the whole system, which every API process reads from the same rows. */
export type Figure = (value: number, labels?: Readonly<Record<string, string>>) => void

/** Gauges that are reset at each scrape, so that stale labels disappear. */
export class Gauges {
  private readonly all: Gauge[] = []
  private readonly registry: Registry

  constructor(registry: Registry) {
    this.registry = registry
  }

  add(name: string, help: string, labelNames: readonly string[] = []): Figure {
    const gauge = new Gauge({ name, help, labelNames: [...labelNames], registers: [] })
    this.registry.registerMetric(gauge)
    this.all.push(gauge)
    return (value, labels = {}) => gauge.set({ ...labels }, value)
  }

  clear(): void {
    for (const gauge of this.all) {
      gauge.reset()
      // One without labels would show 0 from now on.
      gauge.remove({})
    }
  }
}
