import { useState } from 'preact/hooks'
import { pasted } from '../../../core/base/text.ts'
import { SearchField } from '../parts/FilterBar.tsx'

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

interface IdSearchProps {
  readonly label: string
  /** What to say of something that is no id. */
  readonly form: string
  readonly value: string
  readonly onSearch: (id: string) => void
}

/** Searches for an id, or for everything when empty. An invalid id is refused here. */
export function IdSearch({ label, form, value, onSearch }: IdSearchProps) {
  const [isWrong, setWrong] = useState(false)

  function search(text: string): void {
    const id = pasted(text)
    const isId = id === '' || UUID.test(id)
    setWrong(!isId)
    if (isId) onSearch(id)
  }
  return <SearchField {...{ label, value, problem: isWrong ? form : null, onSearch: search }} />
}
