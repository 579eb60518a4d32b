import { LaterPrices, ManyPrices, type Price } from '@hub/contract'
import Box from '@mui/material/Box'
import { useState } from 'react'
import { api, useAction } from '../../../api/index.ts'
import { FormDialog, useT, type View, ViewToggle } from '../../../ui/index.ts'
import { sectionsFor, tidied, usePriceFields } from './fields.tsx'

const blank = { models: [], type: 'tokens' as const, channel_type: 1, input: 0, output: 0 }

type ManyProps = {
  /** Models that have one price now; absent: new prices. */
  stored?: { models: string[]; price: Price }
  view: View
  onClose: () => void
}

/** One price for many models. */
export const ManyForm = ({ stored, view: initialView, onClose }: ManyProps) => {
  const t = useT()
  const [view, setView] = useState(initialView)
  const save = useAction(['prices', 'models'], api.prices.multiple, { done: 'prices.many.saved' })
  const title = stored
    ? t('prices.many.edit', { count: stored.models.length })
    : t('prices.many.create')
  return (
    <FormDialog
      of="prices"
      open
      onClose={onClose}
      title={title}
      verb={stored ? t('prices.save') : title}
      intro={<Intro {...{ view, setView }} text={stored && t('prices.many.hint')} />}
      schema={ManyPrices}
      initial={stored ? { ...stored.price, models: stored.models } : blank}
      fields={usePriceFields(view)}
      sections={sectionsFor('models')}
      transform={tidied}
      submit={({ models, ...price }: ManyPrices) =>
        save.attempt({
          original_models: stored?.models ?? [],
          models,
          price: { ...price, model: 'batch' },
        })
      }
    />
  )
}

/** A price that models will have from a moment on. */
export const LaterForm = ({ view: initialView, onClose }: { view: View; onClose: () => void }) => {
  const t = useT()
  const [view, setView] = useState(initialView)
  const save = useAction('prices', api.prices.schedule, { done: 'prices.schedule.saved' })
  const title = t('prices.schedule.create')
  return (
    <FormDialog
      of="prices"
      open
      onClose={onClose}
      title={title}
      verb={title}
      intro={<Intro {...{ view, setView }} />}
      schema={LaterPrices}
      initial={{ ...blank, at: tomorrow() }}
      fields={usePriceFields(view)}
      sections={sectionsFor('models', ['at'])}
      transform={tidied}
      submit={({ models, at, ...price }: LaterPrices) =>
        save.attempt({ models, at, price: { ...price, model: 'batch' } })
      }
    />
  )
}

const daySeconds = 86_400
const tomorrow = () => {
  const midnight = new Date()
  midnight.setHours(0, 0, 0, 0)
  return Math.floor(midnight.getTime() / 1000) + daySeconds
}

type IntroProps = { view: View; setView: (view: View) => void; text?: string | undefined }

const Intro = ({ view, setView, text }: IntroProps) => (
  <Box sx={{ mb: 2 }}>
    {text && <Box sx={{ color: 'text.secondary', fontSize: 13, mb: 1.5 }}>{text}</Box>}
    <ViewToggle view={view} setView={setView} />
  </Box>
)
