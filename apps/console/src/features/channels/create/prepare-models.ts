import { useState } from 'react'
import { api } from '../../../api/index.ts'
import { type ChannelValues, fetchInput } from '../form/channel-values.ts'
import { billedModels, joinNames } from '../form/stored-text.ts'
import { useFindUndecided } from '../pricing/use-unpriced.ts'
import { useProviders } from '../queries.ts'

/** A vendor that offers more leaves the choice to the administrator. */
const offeredMax = 20

/** The second step waits no longer than this for what it shows at once. */
const prepareMs = 5_000

/**
 * Loads what the second step shows, so that nothing moves in it: an empty list is filled with what the vendor offers, if
 * that is little, and models without a price are known. A failure leaves the list as it is.
 */
export const usePrepareModels = () => {
  const providers = useProviders()
  const findUndecided = useFindUndecided()
  const load = async (
    values: ChannelValues,
    setModels: (models: string) => void,
    signal: AbortSignal,
  ): Promise<void> => {
    const canList = providers.find(each => each.type === values.type)?.can_list_models
    const isEmpty = values.models === '' && values.key !== ''
    const offered =
      canList && isEmpty
        ? await api.channels.fetchModels(fetchInput(values, undefined), signal)
        : []
    const isLittle = offered.length > 0 && offered.length <= offeredMax
    const models = isLittle ? joinNames(offered) : values.models
    if (isLittle && !signal.aborted) setModels(models)
    await findUndecided(billedModels({ ...values, models }), values.prices)
  }
  const [isPreparing, setPreparing] = useState(false)
  const prepare = async (
    values: ChannelValues,
    setModels: (models: string) => void,
  ): Promise<void> => {
    setPreparing(true)
    const signal = AbortSignal.timeout(prepareMs)
    const ended = new Promise<void>(resolve => signal.addEventListener('abort', () => resolve()))
    const loaded = load(values, setModels, signal).catch(() => undefined)
    await Promise.race([loaded, ended])
    setPreparing(false)
  }
  return { isPreparing, prepare }
}
