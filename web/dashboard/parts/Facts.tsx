import type { ComponentChildren } from 'preact'

export type Fact = readonly [name: string, value: ComponentChildren]

/** Names and values, one a line. What is false is left out. */
export function Facts({ facts }: { readonly facts: readonly (Fact | false)[] }) {
  return (
    <dl class="facts">
      {facts.map(
        (fact) =>
          fact && (
            <div key={fact[0]}>
              <dt class="long">{fact[0]}</dt>
              <dd class="figure long">{fact[1]}</dd>
            </div>
          ),
      )}
    </dl>
  )
}
