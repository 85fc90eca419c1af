import type { ComponentChildren } from 'preact'
import { usePage } from '../parts/page.ts'

/** A page outside the shell: one card, one thing to do. */
export function Gate(props: { readonly title: string; readonly children: ComponentChildren }) {
  const { words } = usePage()
  return (
    <main class="gate" id="content">
      <p class="brand">{words.say('product')}</p>
      <div class="card">
        <h1>{props.title}</h1>
        {props.children}
      </div>
    </main>
  )
}
