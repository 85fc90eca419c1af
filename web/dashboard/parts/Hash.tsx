import { CopyButton } from './CopyButton.tsx'
import { usePage } from './page.ts'

interface HashProps {
  readonly value: string
  /** Its network, for the explorer; without one there is no link. */
  readonly network?: string
  readonly kind: 'tx' | 'address'
}

/** A hash or an address, short: copied by its button, and linked to the network's explorer. */
export function Hash({ value, network, kind }: HashProps) {
  const { networks } = usePage()
  const explorer = networks.find(({ id }) => id === network)?.explorer ?? null
  const short = shortHash(value)
  return (
    <span class="hash">
      {explorer ? (
        <a href={`${explorer}/${kind}/${value}`} title={value} target="_blank" rel="noreferrer">
          {short}
        </a>
      ) : (
        <span title={value}>{short}</span>
      )}
      <CopyButton class="copy" value={value} of={short} />
    </span>
  )
}

/** A hash or an address shortened to its beginning and end. */
export function shortHash(value: string): string {
  return `${value.slice(0, 6)}…${value.slice(-4)}`
}
