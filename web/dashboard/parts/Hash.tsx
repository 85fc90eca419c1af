import { useState } from 'preact/hooks'
import { usePage } from './page.ts'
import { shortHash } from './short.ts'

interface HashProps {
  readonly value: string
  /** Its network, for the explorer; without one there is no link. */
  readonly network?: string
  readonly kind: 'tx' | 'address'
}

/** A hash or an address, short: copied by its button, and linked to the network's explorer. */
export function Hash({ value, network, kind }: HashProps) {
  const { words, networks } = usePage()
  const [isCopied, setCopied] = useState(false)
  const explorer = networks.find(({ id }) => id === network)?.explorer ?? null
  const short = shortHash(value)

  async function copy(): Promise<void> {
    try {
      await navigator.clipboard.writeText(value)
      setCopied(true)
    } catch {
      setCopied(false)
    }
  }

  return (
    <span class="hash">
      {explorer ? (
        <a href={`${explorer}/${kind}/${value}`} title={value} target="_blank" rel="noreferrer">
          {short}
        </a>
      ) : (
        <span title={value}>{short}</span>
      )}
      <button
        type="button"
        class="copy"
        aria-label={`${words.say('copy')} ${short}`}
        onClick={copy}
      >
        {words.say(isCopied ? 'copied' : 'copy')}
      </button>
    </span>
  )
}
