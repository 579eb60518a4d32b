import type { Price } from '@hub/contract'
import Autocomplete from '@mui/material/Autocomplete'
import TextField from '@mui/material/TextField'
import { useQuery } from '@tanstack/react-query'
import { api, query } from '../../../api/index.ts'
import { useT } from '../../../ui/index.ts'

/** The search for a model whose price is taken over. */
export const SameAs = ({ label, choose }: { label: string; choose: (price: Price) => void }) => {
  const t = useT()
  const { data: prices = [] } = useQuery(query(api.prices.list, {}))
  return (
    <Autocomplete
      size="small"
      openOnFocus
      options={prices.map(each => each.model).toSorted()}
      noOptionsText={t('common.noMatch')}
      clearText={t('common.clear')}
      openText={t('common.show')}
      closeText={t('common.close')}
      sx={{ width: '100%', maxWidth: 360 }}
      onChange={(_, name) => {
        const found = prices.find(each => each.model === name)
        if (found) choose(found)
      }}
      renderInput={params => (
        <TextField
          {...params}
          autoFocus
          placeholder={label}
          slotProps={{
            ...params.slotProps,
            htmlInput: { ...params.slotProps.htmlInput, 'aria-label': label },
          }}
        />
      )}
    />
  )
}
