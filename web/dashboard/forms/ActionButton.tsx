import { useAction } from './useAction.ts'

interface ActionButtonProps {
  readonly label: string
  /** What it is done to, for those who don't see it beside the button. */
  readonly of?: string
  readonly class?: string
  readonly onAction: () => Promise<unknown>
}

/** A button that sends a request; an error is shown beside it. */
export function ActionButton({ label, of, class: look = 'quiet', onAction }: ActionButtonProps) {
  const { isBusy, problem, run } = useAction(onAction)
  return (
    <>
      <button
        type="button"
        class={look}
        aria-disabled={isBusy}
        {...(of === undefined ? {} : { 'aria-label': `${label} ${of}` })}
        onClick={run}
      >
        {label}
      </button>
      {problem && (
        <p class="problem" role="alert">
          {problem}
        </p>
      )}
    </>
  )
}
