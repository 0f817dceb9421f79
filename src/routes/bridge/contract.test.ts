import { routeContract } from '../../../test/route-contract.ts'

routeContract('bridge')
