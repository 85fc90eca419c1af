/** One thing that both know: how it reads in a message, and what each of them says. */
type Fact = readonly [name: string, ledger: unknown, chain: unknown]

/** In words, each fact in which the chain contradicts the ledger. */
export function contradictions(facts: readonly Fact[]): string[] {
  return facts
    .filter(([, ledger, chain]) => ledger !== chain)
    .map(([name, ledger, chain]) => `${name} ${ledger}, by the chain ${chain}`)
}
