import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { usePage } from './page.ts'

interface FilterBarProps {
  /** What stays in sight on a phone, where the others are behind a button. */
  readonly search?: ComponentChildren
  readonly isNarrowed: boolean
  readonly onClear: () => void
  readonly children: ComponentChildren
}

/** What narrows a list down, and the end of it. */
export function FilterBar({ search, isNarrowed, onClear, children }: FilterBarProps) {
  const { words } = usePage()
  const [isOpen, setOpen] = useState(false)
  return (
    <search class="filters" aria-label={words.say('filters')}>
      {search}
      <button
        type="button"
        class="quiet toggle"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        {words.say('filters')}
        {isNarrowed && ' •'}
      </button>
      <div class={isOpen ? 'narrowing open' : 'narrowing'}>
        {children}
        {isNarrowed && (
          <button type="button" class="quiet" onClick={onClear}>
            {words.say('clearFilters')}
          </button>
        )}
      </div>
    </search>
  )
}

interface ChoiceProps {
  readonly label: string
  readonly value: string
  /** What the choice of everything is called. */
  readonly all: string
  readonly choices: readonly (readonly [value: string, name: string])[]
  readonly onChoose: (value: string) => void
}

/** One of several, or all. */
export function Choice({ label, value, all, choices, onChoose }: ChoiceProps) {
  return (
    <select
      aria-label={label}
      value={value}
      onChange={({ currentTarget }) => onChoose(currentTarget.value)}
    >
      <option value="">{all}</option>
      {choices.map(([each, name]) => (
        <option key={each} value={each}>
          {name}
        </option>
      ))}
    </select>
  )
}

interface SearchFieldProps {
  readonly label: string
  readonly hint?: string
  /** What is searched for now. */
  readonly value: string
  /** Why what was entered can't be searched for. */
  readonly problem?: string | null
  readonly onSearch: (text: string) => void
}

/** Text to search for, once it is entered. */
export function SearchField(props: SearchFieldProps) {
  const { label, hint = label, value, problem = null, onSearch } = props
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        onSearch(String(new FormData(event.currentTarget).get('search')).trim())
      }}
    >
      <input
        key={value}
        type="search"
        name="search"
        class="wide"
        defaultValue={value}
        aria-label={label}
        placeholder={hint}
        maxLength={255}
      />
      {problem !== null && (
        <p class="problem" role="alert">
          {problem}
        </p>
      )}
    </form>
  )
}
