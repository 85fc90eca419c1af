import { ACTOR_TYPES } from '../../../core/dashboard/audit.ts'
import { ClearFilters, Days } from '../parts/Days.tsx'
import { usePage } from '../parts/page.ts'
import { ACTIONS, actionName } from './entries.ts'
import { type Filters, isNarrowed, readFilters } from './filters.ts'

interface FilterBarProps {
  readonly filters: Filters
  /** What operators do is no action of a merchant's, and always theirs. */
  readonly isOfOperators?: boolean
  readonly onChange: (filters: Filters) => void
}

/** Who, what kind of actor, which action, and when, each as it stands in the address. */
export function FilterBar({ filters, isOfOperators = false, onChange }: FilterBarProps) {
  const { words } = usePage()
  const change = (part: Partial<Filters>) => onChange({ ...filters, before: '', ...part })
  return (
    <search class="filters" aria-label={words.say('filters')}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          change({ who: String(new FormData(event.currentTarget).get('who')).trim() })
        }}
      >
        <input
          key={filters.who}
          type="search"
          name="who"
          class="wide"
          defaultValue={filters.who}
          aria-label={words.say('auditWho')}
          placeholder={words.say('auditWhoHint')}
          maxLength={100}
        />
      </form>
      {!isOfOperators && <Selects filters={filters} change={change} />}
      <Days from={filters.from} to={filters.to} onChange={change} />
      <ClearFilters isShown={isNarrowed(filters)} onClear={() => onChange(readFilters({}))} />
    </search>
  )
}

interface SelectsProps {
  readonly filters: Filters
  readonly change: (part: Partial<Filters>) => void
}

function Selects({ filters, change }: SelectsProps) {
  const { words } = usePage()
  return (
    <>
      <select
        aria-label={words.say('auditKind')}
        value={filters.actor}
        onChange={(event) => change({ actor: event.currentTarget.value })}
      >
        <option value="">{words.say('auditEveryKind')}</option>
        {ACTOR_TYPES.map((actor) => (
          <option key={actor} value={actor}>
            {words.say(`audit_${actor}`)}
          </option>
        ))}
      </select>
      <select
        aria-label={words.say('auditAction')}
        value={filters.action}
        onChange={(event) => change({ action: event.currentTarget.value })}
      >
        <option value="">{words.say('auditEveryAction')}</option>
        {ACTIONS.map((action) => (
          <option key={action} value={action}>
            {actionName(words, action)}
          </option>
        ))}
      </select>
    </>
  )
}
