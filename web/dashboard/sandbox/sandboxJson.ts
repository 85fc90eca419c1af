/** What there is to play with. */
export interface SandboxJson {
  readonly chains: readonly PlayChain[]
  readonly scenarios: readonly { readonly name: string; readonly about: string }[]
  readonly eventTypes: readonly string[]
}

export interface PlayChain {
  readonly networkId: string
  readonly name: string
  readonly time: string
  readonly block: string
  readonly tokens: readonly string[]
}
