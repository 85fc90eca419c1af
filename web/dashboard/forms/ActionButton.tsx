import { useAction } from './useAction.ts'

interface ActionButtonProps {
  readonly label: string
  readonly class?: string
  readonly onAction: () => Promise<unknown>
}

/** A button that sends a request; an error is shown beside it. */
export function ActionButton({ label, class: look = 'quiet', onAction }: ActionButtonProps) {
  const { isBusy, problem, run } = useAction(onAction)
  return (
    <>
      <button type="button" class={look} aria-disabled={isBusy} onClick={run}>
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
