import type { ComponentChildren } from 'preact'

interface WideProps {
  readonly label: string
  readonly children: ComponentChildren
}

/** A container for content wider than the page; it scrolls on its own, by keyboard too. */
export function Wide({ label, children }: WideProps) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: it groups no fields of a form.
    // biome-ignore lint/a11y/noNoninteractiveTabindex: without a place in the order of keys it can't be scrolled.
    <div role="group" class="scroll" aria-label={label} tabIndex={0}>
      {children}
    </div>
  )
}
