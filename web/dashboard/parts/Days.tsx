import { usePage } from './page.ts'

interface DaysProps {
  readonly from: string
  readonly to: string
  readonly onChange: (days: { readonly from?: string; readonly to?: string }) => void
}

/** From which day and until which one a list is shown. */
export function Days({ from, to, onChange }: DaysProps) {
  const { words } = usePage()
  const days = { from, to }
  return (
    <>
      {(['from', 'to'] as const).map((end) => (
        <label key={end} class="day">
          <span>{words.say(end)}</span>
          <input
            type="date"
            value={days[end]}
            onChange={(event) => onChange({ [end]: event.currentTarget.value })}
          />
        </label>
      ))}
    </>
  )
}
