import { useState } from 'preact/hooks'
import { pasted } from '../../../core/base/text.ts'

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

  function submit(sent: HTMLFormElement): void {
    const id = pasted(String(new FormData(sent).get('id')))
    const isId = id === '' || UUID.test(id)
    setWrong(!isId)
    if (isId) onSearch(id)
  }
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        submit(event.currentTarget)
      }}
    >
      <input
        key={value}
        type="search"
        name="id"
        class="wide"
        defaultValue={value}
        aria-label={label}
        placeholder={label}
        maxLength={100}
      />
      {isWrong && (
        <p class="problem" role="alert">
          {form}
        </p>
      )}
    </form>
  )
}
