import { ACTOR_TYPES } from '../../../core/events/audit.ts'
import { ClearFilters, Days } from '../parts/Days.tsx'
import { usePage } from '../parts/page.ts'
import { ACTIONS, actionName, OPERATOR_ACTIONS } from './entries.ts'
import { type Filters, isNarrowed, readFilters } from './filters.ts'

interface FilterBarProps {
  readonly filters: Filters
  /** Of the log of operators: it has actions of its own, and one kind of actor. */
  readonly isOfOperators?: boolean
  readonly onChange: (filters: Filters) => void
}

/** Filters of the audit log, kept in the URL. */
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
          aria-label={words.say('auditActor')}
          placeholder={words.say('auditActorHint')}
          maxLength={100}
        />
      </form>
      {!isOfOperators && <KindSelect filters={filters} change={change} />}
      <ActionSelect
        actions={isOfOperators ? OPERATOR_ACTIONS : ACTIONS}
        filters={filters}
        change={change}
      />
      <Days from={filters.from} to={filters.to} onChange={change} />
      <ClearFilters isShown={isNarrowed(filters)} onClear={() => onChange(readFilters({}))} />
    </search>
  )
}

interface SelectProps {
  readonly filters: Filters
  readonly change: (part: Partial<Filters>) => void
}

function KindSelect({ filters, change }: SelectProps) {
  const { words } = usePage()
  return (
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
  )
}

interface ActionSelectProps extends SelectProps {
  readonly actions: readonly string[]
}

function ActionSelect({ actions, filters, change }: ActionSelectProps) {
  const { words } = usePage()
  return (
    <select
      aria-label={words.say('auditAction')}
      value={filters.action}
      onChange={(event) => change({ action: event.currentTarget.value })}
    >
      <option value="">{words.say('auditEveryAction')}</option>
      {actions.map((action) => (
        <option key={action} value={action}>
          {actionName(words, action)}
        </option>
      ))}
    </select>
  )
}
