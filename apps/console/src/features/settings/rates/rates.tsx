import type { ExchangeRates } from '@hub/contract'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import OutlinedInput from '@mui/material/OutlinedInput'
import Typography from '@mui/material/Typography'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api, query } from '../../../api/index.ts'
import { Field, useAction, useT } from '../../../ui/index.ts'

const shownRates = 10

/** The rates by which costs in other currencies are compared with prices. They are saved by themselves, each for a day. */
export const Rates = () => {
  const t = useT()
  const { data } = useQuery(query(api.costs.rates))
  return (
    <Box sx={{ mt: 3, pt: 2.5, borderTop: '1px solid', borderColor: 'divider' }}>
      <Typography variant="body2" component="h3" sx={{ fontWeight: 500 }}>
        {t('settings.rates.title')}
      </Typography>
      <Typography variant="caption" component="p" sx={{ color: 'text.secondary', mb: 1.5 }}>
        {t('settings.rates.intro')}
      </Typography>
      {data && <Current rates={data.current} />}
      <NewRate />
      {data && data.history.length > 0 && <History history={data.history} />}
    </Box>
  )
}

const line = {
  ...{ display: 'flex', justifyContent: 'space-between', flexWrap: 'wrap', columnGap: 2 },
  ...{ py: 0.5, fontSize: 13 },
} as const

const Current = ({ rates }: { rates: ExchangeRates['current'] }) => {
  const t = useT()
  return (
    <Box component="ul" sx={{ listStyle: 'none', m: 0, mb: 2, p: 0 }}>
      {rates.map(({ currency, rate, source }) => (
        <Box key={currency} component="li" sx={line}>
          <span>
            1 USD = {rate} {currency}
          </span>
          {source === 'setting' && (
            <Box component="span" sx={{ color: 'text.secondary' }}>
              {t('settings.rates.fromSetting', { name: t('settings.fields.PaymentUSDRate') })}
            </Box>
          )}
        </Box>
      ))}
    </Box>
  )
}

const none = { currency: '', rate: '', valid_from: '' }

const NewRate = () => {
  const t = useT()
  const [draft, setDraft] = useState(none)
  const save = useAction(['costs', 'channels'], api.costs.setRate, {
    successKey: 'settings.rates.saved',
    onSuccess: () => setDraft(none),
  })
  const { currency, rate, valid_from } = draft
  const input = (name: keyof typeof none, more: object = {}) => (
    <Field label={t(`settings.rates.${name}`)}>
      {({ id }) => (
        <OutlinedInput
          fullWidth
          id={id}
          size="small"
          sx={{ height: 38 }}
          value={draft[name]}
          type={name === 'valid_from' ? 'date' : 'text'}
          inputProps={{ autoComplete: 'off', ...more }}
          onChange={({ target }) => {
            const text = name === 'currency' ? target.value.toUpperCase() : target.value.trim()
            setDraft({ ...draft, [name]: text })
          }}
          // Enter would save the settings around it.
          onKeyDown={event => event.key === 'Enter' && event.preventDefault()}
        />
      )}
    </Field>
  )
  return (
    <Box
      sx={{
        ...{ display: 'grid', gap: 1.5, alignItems: 'end' },
        gridTemplateColumns: { xs: '1fr 1fr', sm: '1fr 1fr 1.3fr auto' },
      }}
    >
      {input('currency', { maxLength: 3, placeholder: 'CNY' })}
      {input('rate', { inputMode: 'decimal', placeholder: '7.1' })}
      {input('valid_from')}
      <Button
        variant="outlined"
        color="inherit"
        disabled={currency.length !== 3 || Number.isNaN(Number.parseFloat(rate)) || save.isPending}
        onClick={() => void save({ currency, rate, ...(valid_from !== '' && { valid_from }) })}
      >
        {t('settings.rates.add')}
      </Button>
    </Box>
  )
}

const History = ({ history }: Pick<ExchangeRates, 'history'>) => {
  const t = useT()
  return (
    <Box sx={{ mt: 2 }}>
      <Typography variant="body2" component="h4" sx={{ fontWeight: 500 }}>
        {t('settings.rates.history')}
      </Typography>
      <Box component="ul" sx={{ listStyle: 'none', m: 0, p: 0 }}>
        {history.slice(0, shownRates).map(each => (
          <Box key={`${each.currency} ${each.valid_from}`} component="li" sx={line}>
            <span>
              {each.rate} {each.currency}
            </span>
            <Box component="span" sx={{ color: 'text.secondary' }}>
              {t('settings.rates.since', { day: each.valid_from })} ·{' '}
              {each.created_by_name || `#${each.created_by}`}
            </Box>
          </Box>
        ))}
      </Box>
    </Box>
  )
}
