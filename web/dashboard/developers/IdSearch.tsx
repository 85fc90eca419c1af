import { useState } from 'preact/hooks'
import { pasted } from '../../../core/base/text.ts'

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

interface IdSearchProps {
  /** What is looked for. */
  readonly label: string
  /** What to say of something that is no id. */
  readonly form: string
  readonly value: string
  readonly onLook: (id: string) => void
}

/** Looks for an id, or for everything when it is empty; what can't be an id is not looked for. */
export function IdSearch({ label, form, value, onLook }: IdSearchProps) {
  const [isWrong, setWrong] = useState(false)

  function look(sent: HTMLFormElement): void {
    const id = pasted(String(new FormData(sent).get('id')))
    const isId = id === '' || UUID.test(id)
    setWrong(!isId)
    if (isId) onLook(id)
  }
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        look(event.currentTarget)
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
