import type { ComponentChildren } from 'preact'

interface EmptyProps {
  readonly title: string
  readonly next: string
  /** What to do about it: one button. */
  readonly children?: ComponentChildren
}

/** Where there is nothing: that, and what to do. */
export function Empty({ title, next, children }: EmptyProps) {
  return (
    <div class="empty">
      <h2>{title}</h2>
      <p>{next}</p>
      {children}
    </div>
  )
}
