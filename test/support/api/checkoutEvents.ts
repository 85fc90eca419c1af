import type { CheckoutView } from '../../../core/checkout/view.ts'
import type { ApiRig } from './rig.ts'

/** A page that follows its session. */

export interface Following {
  readonly status: number
  /** The next view that is pushed. */
  next(): Promise<CheckoutView>
  stop(): Promise<void>
}

export async function followSession(rig: ApiRig, id: string): Promise<Following> {
  const response = await rig.fetch(`/v1/checkout/sessions/${id}/events`)
  const reader = response.body?.getReader()
  const decoder = new TextDecoder()
  let text = ''
  return {
    status: response.status,
    async next() {
      for (;;) {
        const end = text.indexOf('\n\n')
        if (end >= 0) {
          const lines = text.slice(0, end).split('\n')
          text = text.slice(end + 2)
          const data = lines.find((line) => line.startsWith('data: '))
          if (lines[0] === 'event: view' && data) return JSON.parse(data.slice(6))
          continue
        }
        const chunk = await reader?.read()
        if (!chunk || chunk.done) throw new Error('the stream has ended')
        text += decoder.decode(chunk.value, { stream: true })
      }
    },
    async stop() {
      await reader?.cancel()
    },
  }
}
