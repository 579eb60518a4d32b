import ToggleButton from '@mui/material/ToggleButton'
import ToggleButtonGroup from '@mui/material/ToggleButtonGroup'
import { useAddress, useT } from '../../ui'

const views = ['operations', 'mine'] as const
export type View = (typeof views)[number]

/** The view of an administrator, stored in the address. */
export const useView = (initial: View): [View, (view: View) => void] => {
  const [params, change] = useAddress()
  const view = views.find(each => each === params.get('view')) ?? initial
  return [view, next => change({ view: next }, { clear: true, replace: true })]
}

type Props = { view: View; setView: (view: View) => void }

/** The console has loaded this component anyway; tabs would make the page heavier. */
export const ViewSwitch = ({ view, setView }: Props) => {
  const t = useT()
  return (
    <ToggleButtonGroup
      exclusive
      size="small"
      value={view}
      onChange={(_, next: View | null) => next && setView(next)}
      aria-label={t('dashboard.view')}
      sx={{ mb: 2, '& .MuiToggleButton-root': { px: 2 } }}
    >
      {views.map(each => (
        <ToggleButton key={each} value={each}>
          {t(`dashboard.views.${each}`)}
        </ToggleButton>
      ))}
    </ToggleButtonGroup>
  )
}
