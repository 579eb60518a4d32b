import type { Delivery } from '@hub/contract'
import { Badge, type Tone } from '../../ui/index.ts'

const tones: Record<Delivery['state'], Tone> = { waiting: 'amber', sent: 'green', failed: 'red' }

export const DeliveryState = ({ state }: Pick<Delivery, 'state'>) => (
  <Badge tone={tones[state]} labelKey={`notifications.states.${state}`} />
)
