// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {PermitSettlement} from "../../src/PermitSettlement.sol";
import {Recovery} from "../../src/Recovery.sol";
import {Refunds} from "../../src/Refunds.sol";
import {Settlement} from "../../src/Settlement.sol";

/// @notice All that a RemitHub has, as a type without code. Tests deploy the hub from what the sources
///         were compiled to with the hub's own settings; importing RemitHub itself would have every
///         test compiled with these, which takes minutes.
abstract contract Hub is Settlement, PermitSettlement, Refunds, Recovery {}
