import { TokenOptions } from '../forms/TokenOptions.tsx'
import { ClearFilters, Days } from '../parts/Days.tsx'
import { usePage } from '../parts/page.ts'
import { changed, type Filters, isNarrowed, STATUSES } from './filters.ts'

interface FilterBarProps {
  readonly filters: Filters
  readonly onChange: (filters: Filters) => void
}

/** Search and filters, kept in the URL. */
export function FilterBar({ filters, onChange }: FilterBarProps) {
  const { words } = usePage()
  const change = (part: Partial<Filters>) => onChange(changed(filters, part))
  return (
    <search class="filters" aria-label={words.say('filters')}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          const search = new FormData(event.currentTarget).get('q')
          change({ search: String(search).trim() })
        }}
      >
        <input
          key={filters.search}
          type="search"
          name="q"
          class="wide"
          defaultValue={filters.search}
          aria-label={words.say('search')}
          placeholder={words.say('searchHint')}
          maxLength={255}
        />
      </form>
      {filters.search === '' ? (
        <Narrowing filters={filters} change={change} />
      ) : (
        <button type="button" class="quiet" onClick={() => change({ search: '' })}>
          {words.say('searchClear')}
        </button>
      )}
    </search>
  )
}

interface NarrowingProps {
  readonly filters: Filters
  readonly change: (part: Partial<Filters>) => void
}

function Narrowing({ filters, change }: NarrowingProps) {
  const { words, tokens } = usePage()
  return (
    <>
      <select
        aria-label={words.say('status')}
        value={filters.status}
        onChange={(event) => change({ status: event.currentTarget.value })}
      >
        <option value="">{words.say('statusAll')}</option>
        {STATUSES.map((status) => (
          <option key={status} value={status}>
            {words.say(status)}
          </option>
        ))}
      </select>
      <select
        aria-label={words.say('token')}
        value={filters.token}
        onChange={(event) => change({ token: event.currentTarget.value })}
      >
        <option value="">{words.say('tokenAll')}</option>
        <TokenOptions tokens={tokens} />
      </select>
      <Days from={filters.from} to={filters.to} onChange={change} />
      <ClearFilters
        isShown={isNarrowed(filters)}
        onClear={() => change({ status: '', token: '', from: '', to: '' })}
      />
    </>
  )
}
