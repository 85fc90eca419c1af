import { messageOf } from './protocol.ts'

/** How a session of the server is told the time: by messages that are made once, and whose digits are written over. */

export interface Telling {
  readonly name: string
  readonly preparation: Buffer
  readonly messages: Buffer
  /** Where in the messages each value is. */
  readonly places: readonly number[]
}

const MOMENT = '2027-01-15T00:00:00.000Z'

function tellingOf(name: string, text: string, values: number): Telling {
  const count = Buffer.alloc(2)
  count.writeInt16BE(values)
  const length = Buffer.alloc(4)
  length.writeInt32BE(MOMENT.length)
  const fields = Array.from({ length: values }, () => [length, MOMENT]).flat()
  const binding = messageOf('B', `\0${name}\0`, Buffer.alloc(2), count, ...fields, Buffer.alloc(2))
  const first = binding.indexOf(MOMENT)
  return {
    name,
    preparation: messageOf('P', `${name}\0${text}\0\0\0`),
    messages: Buffer.concat([binding, messageOf('E', '\0', Buffer.alloc(4))]),
    places: Array.from({ length: values }, (_, i) => first + i * (MOMENT.length + length.length)),
  }
}

export const CLOCK = tellingOf('sim_clock', "select set_config('sim.clock', $1, false)", 1)
/** With the time of a transaction, for as long as that lasts. */
export const CLOCK_AND_NOW = tellingOf(
  'sim_both',
  "select set_config('sim.clock', $1, false), set_config('sim.now', $2, true)",
  2,
)

export function toldOf({ messages, places }: Telling, ...moments: readonly string[]): Buffer {
  const told = Buffer.from(messages)
  for (const [i, place] of places.entries()) told.write(moments[i] ?? '', place)
  return told
}
