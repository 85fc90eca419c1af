import { usePage } from '../parts/page.ts'
import { presets, type Range } from './range.ts'

interface RangeBarProps {
  readonly range: Range
  readonly onChange: (range: Range) => void
}

/** Which days, and whether by day or by month. */
export function RangeBar({ range, onChange }: RangeBarProps) {
  const { words } = usePage()
  return (
    <search class="filters" aria-label={words.say('reportRange')}>
      {presets(new Date()).map((preset) => (
        <button
          key={preset.word}
          type="button"
          class="quiet"
          onClick={() => onChange(preset.range)}
        >
          {words.say(preset.word)}
        </button>
      ))}
      <select
        aria-label={words.say('reportBy')}
        value={range.by}
        onChange={({ currentTarget: { value } }) =>
          onChange({ ...range, by: value === 'month' ? 'month' : 'day' })
        }
      >
        <option value="day">{words.say('byDay')}</option>
        <option value="month">{words.say('byMonth')}</option>
      </select>
      {(['from', 'to'] as const).map((end) => (
        <label key={end} class="day">
          <span>{words.say(end)}</span>
          <input
            type="date"
            value={range[end]}
            {...(end === 'from' ? { max: range.to } : { min: range.from })}
            onChange={({ currentTarget: { value } }) =>
              value !== '' && onChange({ ...range, [end]: value })
            }
          />
        </label>
      ))}
      <small class="hint">{words.say('inUtc')}</small>
    </search>
  )
}
