import { useState } from 'preact/hooks'
import { usePage } from '../parts/page.ts'
import { COLUMN_DEFINITIONS, COLUMNS, type Column, writeColumns } from './columns.ts'

interface ColumnChooserProps {
  readonly columns: readonly Column[]
  /** Called with the value for the URL. */
  readonly onChange: (columns: string) => void
}

/** Which columns the table and its CSV have. At least one stays. */
export function ColumnChooser({ columns, onChange }: ColumnChooserProps) {
  const { words } = usePage()
  const [isOpen, setOpen] = useState(false)
  function toggle(column: Column): void {
    const isShown = columns.includes(column)
    const chosen = isShown ? columns.filter((each) => each !== column) : [...columns, column]
    if (chosen.length > 0) onChange(writeColumns(chosen))
  }
  return (
    <details class="menu last" onToggle={(toggle) => setOpen(toggle.currentTarget.open)}>
      <summary>{words.say('columns')}</summary>
      {isOpen && (
        <fieldset>
          <legend class="hidden">{words.say('columns')}</legend>
          {COLUMNS.map((column) => (
            <label key={column} class="check">
              <input
                type="checkbox"
                checked={columns.includes(column)}
                onChange={() => toggle(column)}
              />
              {words.say(COLUMN_DEFINITIONS[column].word)}
            </label>
          ))}
        </fieldset>
      )}
    </details>
  )
}
