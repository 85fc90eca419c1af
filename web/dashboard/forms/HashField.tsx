import { usePage } from '../parts/page.ts'

interface HashFieldProps {
  readonly value?: string
  readonly hint?: string
  readonly onHash?: (hash: string) => void
}

/** The hash of a transaction, as `txHash`. */
export function HashField({ value, hint, onHash }: HashFieldProps) {
  const { words } = usePage()
  return (
    <label class="field">
      <span>{words.say('transactionHash')}</span>
      <input
        class="wide"
        name="txHash"
        required
        autocomplete="off"
        spellcheck={false}
        pattern="\s*0[xX][0-9a-fA-F]{64}\s*"
        title={words.say('hashForm')}
        {...(value !== undefined && { value })}
        onInput={({ currentTarget }) => onHash?.(currentTarget.value)}
      />
      {hint && <small class="hint">{hint}</small>}
    </label>
  )
}
