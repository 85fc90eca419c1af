import type { ComponentChildren } from 'preact'
import type { Messages } from '../../messages/en.ts'
import { usePage } from './context.ts'

interface FilledProps {
  readonly text: keyof Messages
  /** The name in braces that is filled. */
  readonly name: string
  readonly children: ComponentChildren
}

/** A sentence with an element in it, whose position depends on the language. */
export function Filled({ text, name, children }: FilledProps) {
  const { words } = usePage()
  const [before, after] = words.say(text, { [name]: '\n' }).split('\n')
  return (
    <>
      {before}
      {children}
      {after}
    </>
  )
}
