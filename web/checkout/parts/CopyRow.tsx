import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { usePage } from './context.ts'
import { Icon } from './icons.tsx'

interface CopyRowProps {
  readonly label: string
  /** What is copied. */
  readonly value: string
  /** What the button does, and what is said once it is done. */
  readonly does: string
  readonly done: string
  readonly children: ComponentChildren
}

const SHOWN_MS = 2_500

/** Something to take along: shown whole, and copied by one touch. */
export function CopyRow({ label, children, ...copied }: CopyRowProps) {
  return (
    <div class="copy-row">
      <dt>{label}</dt>
      <dd>{children}</dd>
      <dd class="scripted">
        <CopyButton {...copied} />
      </dd>
    </div>
  )
}

type CopyButtonProps = Pick<CopyRowProps, 'value' | 'does' | 'done'>

/** Copies by one touch; only with JavaScript. */
export function CopyButton({ value, does, done }: CopyButtonProps) {
  const { words, announce } = usePage()
  const [isCopied, setCopied] = useState(false)
  useEffect(() => {
    if (!isCopied) return
    const timer = setTimeout(() => setCopied(false), SHOWN_MS)
    return () => clearTimeout(timer)
  }, [isCopied])

  async function copy() {
    try {
      await navigator.clipboard.writeText(value)
      setCopied(true)
      announce(done)
    } catch {
      announce(words.say('copyRefused'))
    }
  }

  return (
    <button type="button" class="quiet scripted" aria-label={does} onClick={copy}>
      <Icon shape={isCopied ? 'paid' : 'copy'} />
      <span>{words.say(isCopied ? 'copied' : 'copy')}</span>
    </button>
  )
}
