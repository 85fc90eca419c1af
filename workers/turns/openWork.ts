import { type OpenWork, readOpenWork } from '../../store/chain/openWork.ts'
import type { Database } from '../../store/database/database.ts'

/** What a reading shows to others than its reader. */
export interface OpenWorkListeners {
  /** The head was announced so long ago, in ms. */
  onAnnounced?(ageMs: number): void
  /** The leader's reading has found something for relayers. */
  onRelayerWork?(): void
}

/** What is open on a chain, read at each of its heads, once for both loops of its actor. */
export class OpenWorkReader {
  private led: { readonly at: number; readonly hasRelayerWork: boolean } | null = null

  constructor(
    private readonly database: Database,
    private readonly networkId: string,
    private readonly listeners: OpenWorkListeners = {},
  ) {}

  async forLeader(): Promise<OpenWork> {
    const at = performance.now()
    const work = await this.read()
    this.led = { at, hasRelayerWork: work.forRelayers }
    if (work.forRelayers) this.listeners.onRelayerWork?.()
    return work
  }

  /** Whether there is something for relayers, by the leader's last reading if it is younger than this, in ms. */
  async hasRelayerWork(ageMs: number): Promise<boolean> {
    const { led } = this
    const isYoung = led !== null && performance.now() - led.at < ageMs
    return isYoung ? led.hasRelayerWork : (await this.read()).forRelayers
  }

  private async read(): Promise<OpenWork> {
    const work = await readOpenWork(this.database, this.networkId)
    if (work.announced !== null) this.listeners.onAnnounced?.(work.announced.ageMs)
    return work
  }
}
