import { useState } from 'preact/hooks'
import { SCOPES } from '../../../core/access/scopes.ts'
import { Dialog } from '../forms/Dialog.tsx'
import { Field } from '../forms/Field.tsx'
import { Form } from '../forms/Form.tsx'
import { usePage } from '../parts/page.ts'
import { toastDone } from '../parts/Toasts.tsx'
import { request } from '../session/request.ts'
import type { MadeKeyJson } from './keyJson.ts'

interface CreateKeyProps {
  readonly path: string
  /** Of publishable keys there is one at a time. */
  readonly hasPublishable: boolean
  readonly onCreated: (made: MadeKeyJson) => Promise<void>
}

/** A button for one more key, and the dialog in which it gets its name and scopes. */
export function CreateKey({ path, hasPublishable, onCreated }: CreateKeyProps) {
  const { words } = usePage()
  const [isOpen, setOpen] = useState(false)
  const [access, setAccess] = useState<'full' | 'limited' | 'publishable'>('full')

  async function create(fields: FormData): Promise<void> {
    const answer = await request<{ data: MadeKeyJson }>('POST', path, {
      name: String(fields.get('name')),
      kind: access === 'publishable' ? 'publishable' : 'secret',
      ...(access === 'limited' ? { scopes: fields.getAll('scope').map(String) } : {}),
    })
    setOpen(false)
    await onCreated(answer.data)
    toastDone(words, 'audit_createApiKey', location.pathname)
  }

  const choices = [
    'full',
    'limited',
    ...(hasPublishable ? [] : (['publishable'] as const)),
  ] as const
  return (
    <>
      <button type="button" class="main" onClick={() => setOpen(true)}>
        {words.say('devCreateKey')}
      </button>
      {isOpen && (
        <Dialog title={words.say('devCreateKey')} onClose={() => setOpen(false)}>
          <Form action={words.say('devCreateKey')} onSend={create}>
            <Field
              label={words.say('itsName')}
              hint={words.say('devKeyNameHint')}
              name="name"
              autocomplete="off"
              maxLength={60}
              required
            />
            <fieldset class="field">
              <legend>{words.say('devAccess')}</legend>
              {choices.map((choice) => (
                <label key={choice} class="check">
                  <input
                    type="radio"
                    name="access"
                    checked={access === choice}
                    onChange={() => setAccess(choice)}
                  />
                  <span>{words.say(ACCESS_WORDS[choice])}</span>
                </label>
              ))}
              {access === 'limited' && (
                <ul class="checks">
                  {SCOPES.map((scope) => (
                    <li key={scope}>
                      <label class="check">
                        <input type="checkbox" name="scope" value={scope} />
                        <span>
                          <code>{scope}</code> {words.say(`devScope_${scope}`)}
                        </span>
                      </label>
                    </li>
                  ))}
                </ul>
              )}
            </fieldset>
          </Form>
        </Dialog>
      )}
    </>
  )
}

const ACCESS_WORDS = {
  full: 'devFullHint',
  limited: 'devLimitedHint',
  publishable: 'devPublishableHint',
} as const
