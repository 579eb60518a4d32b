/** `apps/console/icons.ts` makes these modules; the build fails on a name that is no icon. */
declare module 'virtual:icons/*' {
  import type SvgIcon from '@mui/material/SvgIcon'

  const Icon: typeof SvgIcon
  export default Icon
}
