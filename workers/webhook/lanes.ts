import type { DeliveryId, EventId, WebhookEndpointId } from '../../core/base/ids.ts'
import type { MerchantEvent } from '../../core/events/event.ts'
import type { DueDelivery, LeasedEndpoint, LeaseRequest } from '../../store/webhook/leases.ts'

/**
 * What one process has to send: a lane per endpoint that it has leased. Lanes take turns, so that no
 * endpoint waits for what is piled up in front of another.
 */

export interface HeldDelivery extends DueDelivery {
  readonly event: MerchantEvent
}

/** A delivery that is to be sent now, and the endpoint as of the last read of its lease. */
export interface Outgoing {
  readonly delivery: HeldDelivery
  readonly endpoint: LeasedEndpoint
}

export interface Lanes {
  /** How many deliveries are under way, over all lanes. */
  readonly underWay: number
  /** What to request from the database. */
  leaseRequest(): Omit<LeaseRequest, 'owner' | 'leaseMs' | 'share'>
  /** Lets go of endpoints of other processes' shares to which nothing is to be sent any more, and names them. */
  release(): readonly WebhookEndpointId[]
  /** Takes over what was leased. What waits for endpoints that are not among it is given up. */
  update(
    leased: readonly LeasedEndpoint[],
    askedAt: number,
    events: ReadonlyMap<EventId, MerchantEvent>,
  ): void
  /** The next delivery that there is room for, or null. It is under way from now on. */
  next(): Outgoing | null
  /** Notes that a delivery is no longer under way. It is held until it is forgotten. */
  finished(endpointId: WebhookEndpointId, hasSucceeded: boolean): void
  /** Lets go of a delivery whose outcome is recorded, or never will be. */
  forget(endpointId: WebhookEndpointId, deliveryId: DeliveryId): void
}

/** The most that is under way to one endpoint, and what a lane begins with. */
const AT_ONCE_PER_ENDPOINT = 5
/** The most that one lane holds, and all of them together as long as each has what it begins with. */
const HELD_PER_LANE = 100
const HELD_IN_ALL = 2_048
/** The most text that one lane holds, as long as it has what it begins with. */
const CHARACTERS_PER_LANE = 1_000_000

interface Lane {
  endpoint: LeasedEndpoint
  /** When the lease ends, by the clock of this process. */
  endsAt: number
  readonly waiting: HeldDelivery[]
  /** What must not be leased again: deliveries that wait, are under way or are to be recorded. */
  readonly held: Set<DeliveryId>
  underWay: number
  /** How many to hold. A success adds one; a failure resets it. */
  depth: number
  /** The largest event of those that came last, in characters. */
  largest: number
}

/** `room` is the most that is under way in all; endpoints that are failing have half of it at most. */
export function createLanes(room: number): Lanes {
  const lanes = new Map<WebhookEndpointId, Lane>()
  /** Lanes that could send, in the order of their turns. */
  const ready = new Set<Lane>()
  const readyFailing = new Set<Lane>()
  const failingRoom = Math.floor(room / 2)
  let underWay = 0
  let failingUnderWay = 0
  /** How many lanes are of endpoints that are failing. */
  let failing = 0

  function queue(lane: Lane): void {
    ready.delete(lane)
    readyFailing.delete(lane)
    if (lane.waiting.length === 0 || lane.underWay >= AT_ONCE_PER_ENDPOINT) return
    const turns = lane.endpoint.isFailing ? readyFailing : ready
    turns.add(lane)
  }

  function firstReady(): Lane | null {
    if (underWay >= room) return null
    for (const lane of ready) return lane
    if (failingUnderWay >= failingRoom) return null
    for (const lane of readyFailing) return lane
    return null
  }

  /**
   * Whether a lane must yield: because its endpoint is in another process's share, or so that endpoints get
   * turns although there are more than lanes.
   */
  function mustYield({ endpoint: { isOwn, isFailing } }: Lane): boolean {
    return !isOwn || lanes.size >= room || (isFailing && failing >= failingRoom)
  }

  function giveUp(lane: Lane): void {
    for (const { id } of lane.waiting.splice(0)) lane.held.delete(id)
    queue(lane)
  }

  return {
    get underWay() {
      return underWay
    },

    leaseRequest() {
      const fair = Math.floor(HELD_IN_ALL / Math.max(1, lanes.size))
      const heldIds: DeliveryId[] = []
      const kept = [...lanes].map(([endpointId, lane]) => {
        const { held, depth, largest } = lane
        const most = Math.min(HELD_PER_LANE, fair, CHARACTERS_PER_LANE / Math.max(1, largest))
        const wanted = Math.min(depth, Math.max(AT_ONCE_PER_ENDPOINT, Math.floor(most)))
        if (mustYield(lane) || held.size > wanted / 2) return { endpointId, more: 0 }
        heldIds.push(...held)
        return { endpointId, more: wanted - held.size }
      })
      return {
        kept,
        heldIds,
        newcomers: Math.max(0, room - lanes.size),
        failingNewcomers: Math.max(0, failingRoom - failing),
        firstDeliveries: AT_ONCE_PER_ENDPOINT,
      }
    },

    release() {
      const done = [...lanes].flatMap(([id, { endpoint, held }]) =>
        endpoint.isOwn || held.size > 0 ? [] : [id],
      )
      for (const id of done) lanes.delete(id)
      return done
    },

    update(leased, askedAt, events) {
      const ours = new Set(leased.map(({ endpointId }) => endpointId))
      for (const [id, lane] of lanes) if (!ours.has(id)) giveUp(lane)
      for (const endpoint of leased) {
        const lane = lanes.get(endpoint.endpointId) ?? newLane(endpoint)
        lanes.set(endpoint.endpointId, lane)
        lane.endpoint = endpoint
        lane.endsAt = askedAt + endpoint.leftMs
        if (endpoint.deliveries.length > 0) lane.largest = 0
        for (const delivery of endpoint.deliveries) {
          const event = events.get(delivery.eventId)
          // It is no longer kept.
          if (event === undefined) continue
          lane.largest = Math.max(lane.largest, event.dataJson.length)
          lane.held.add(delivery.id)
          lane.waiting.push({ ...delivery, event })
        }
        queue(lane)
      }
      failingUnderWay = 0
      failing = 0
      for (const [id, lane] of lanes) {
        if (lane.held.size === 0) lanes.delete(id)
        else if (lane.endpoint.isFailing) {
          failingUnderWay += lane.underWay
          failing += 1
        }
      }
      // Those that have had a turn; what they give up is still due.
      for (const lane of lanes.values()) if (lane.underWay > 0 && mustYield(lane)) giveUp(lane)
    },

    next() {
      for (let lane = firstReady(); lane !== null; lane = firstReady()) {
        // Another process may be sending it by now.
        if (performance.now() >= lane.endsAt) giveUp(lane)
        const delivery = lane.waiting.shift()
        if (delivery === undefined) continue
        lane.underWay += 1
        underWay += 1
        if (lane.endpoint.isFailing) failingUnderWay += 1
        queue(lane)
        return { delivery, endpoint: lane.endpoint }
      }
      return null
    },

    finished(endpointId, hasSucceeded) {
      const lane = lanes.get(endpointId)
      if (lane === undefined) throw new Error(`endpoint ${endpointId} has no lane`)
      lane.underWay -= 1
      underWay -= 1
      if (lane.endpoint.isFailing) failingUnderWay -= 1
      lane.depth = hasSucceeded ? Math.min(lane.depth + 1, HELD_PER_LANE) : AT_ONCE_PER_ENDPOINT
      queue(lane)
    },

    forget(endpointId, deliveryId) {
      lanes.get(endpointId)?.held.delete(deliveryId)
    },
  }
}

function newLane(endpoint: LeasedEndpoint): Lane {
  return {
    endpoint,
    endsAt: 0,
    waiting: [],
    held: new Set(),
    underWay: 0,
    depth: AT_ONCE_PER_ENDPOINT,
    largest: 0,
  }
}
