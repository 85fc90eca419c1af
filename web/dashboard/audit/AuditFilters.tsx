import { ACTOR_TYPES } from '../../../core/events/audit.ts'
import { Days } from '../parts/Days.tsx'
import { Choice, FilterBar, SearchField } from '../parts/FilterBar.tsx'
import { usePage } from '../parts/page.ts'
import { ACTIONS, actionName, OPERATOR_ACTIONS } from './entries.ts'
import { type Filters, isNarrowed, readFilters } from './filters.ts'

interface AuditFiltersProps {
  readonly filters: Filters
  /** Of the log of operators: it has actions of its own, and one kind of actor. */
  readonly isOfOperators?: boolean
  readonly onChange: (filters: Filters) => void
}

/** Filters of the audit log, kept in the URL. */
export function AuditFilters({ filters, isOfOperators = false, onChange }: AuditFiltersProps) {
  const { words } = usePage()
  const change = (part: Partial<Filters>) => onChange({ ...filters, before: '', ...part })
  const actions = isOfOperators ? OPERATOR_ACTIONS : ACTIONS
  return (
    <FilterBar
      search={
        <SearchField
          label={words.say('auditActor')}
          hint={words.say('auditActorHint')}
          value={filters.who}
          onSearch={(who) => change({ who })}
        />
      }
      isNarrowed={isNarrowed(filters)}
      onClear={() => onChange(readFilters({}))}
    >
      {!isOfOperators && (
        <Choice
          label={words.say('auditKind')}
          value={filters.actor}
          all={words.say('auditEveryKind')}
          choices={ACTOR_TYPES.map((actor) => [actor, words.say(`audit_${actor}`)])}
          onChoose={(actor) => change({ actor })}
        />
      )}
      <Choice
        label={words.say('auditAction')}
        value={filters.action}
        all={words.say('auditEveryAction')}
        choices={actions.map((action) => [action, actionName(words, action)])}
        onChoose={(action) => change({ action })}
      />
      <Days from={filters.from} to={filters.to} onChange={change} />
    </FilterBar>
  )
}
