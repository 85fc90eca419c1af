import { useState } from 'preact/hooks'
import { EVENT_TYPE_NAMES } from '../../../core/events/eventTypes.ts'
import type { WebhookEndpointJson } from '../../../core/webhook/endpoint.ts'
import { Field } from '../forms/Field.tsx'
import { Form } from '../forms/Form.tsx'
import { usePage } from '../parts/page.ts'

/** What a merchant chooses of an endpoint. */
export interface EndpointWish {
  readonly url: string
  readonly description: string
  /** Null for every type. */
  readonly eventTypes: readonly string[] | null
}

interface EndpointFormProps {
  /** What it is now; null for a new one. */
  readonly endpoint: Pick<WebhookEndpointJson, 'url' | 'description' | 'eventTypes'> | null
  readonly action: string
  readonly onSend: (wish: EndpointWish) => Promise<void>
}

/** Where events go, and which. */
export function EndpointForm({ endpoint, action, onSend }: EndpointFormProps) {
  const { words } = usePage()
  const [isEvery, setEvery] = useState(endpoint === null || endpoint.eventTypes === null)

  async function send(fields: FormData): Promise<void> {
    await onSend({
      url: String(fields.get('url')).trim(),
      description: String(fields.get('description')).trim(),
      eventTypes: isEvery ? null : fields.getAll('type').map(String),
    })
  }

  return (
    <Form action={action} onSend={send}>
      <Field
        label={words.say('url')}
        hint={words.say('devUrlHint')}
        name="url"
        autocomplete="off"
        initial={endpoint?.url ?? ''}
        required
      />
      <Field
        label={words.say('description')}
        name="description"
        autocomplete="off"
        maxLength={1000}
        initial={endpoint?.description ?? ''}
      />
      <fieldset class="field">
        <legend>{words.say('devEvents')}</legend>
        <label class="check">
          <input type="checkbox" checked={isEvery} onChange={() => setEvery(!isEvery)} />
          <span>{words.say('devEveryEvent')}</span>
        </label>
        {!isEvery && (
          <ul class="checks">
            {EVENT_TYPE_NAMES.map((type) => (
              <li key={type}>
                <label class="check">
                  <input
                    type="checkbox"
                    name="type"
                    value={type}
                    defaultChecked={endpoint?.eventTypes?.includes(type) ?? false}
                  />
                  <code>{type}</code>
                </label>
              </li>
            ))}
          </ul>
        )}
      </fieldset>
    </Form>
  )
}
