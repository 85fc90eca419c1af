// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {SafeTransferLib} from "solady/utils/SafeTransferLib.sol";
import {TokenTransfer} from "./TokenTransfer.sol";

/// @title Forwarder
/// @notice The code behind every deposit address and every merchant's forwarder (EIP-1167 clones).
/// It holds money until the hub, and nobody else, says where that goes.
contract Forwarder {
    error OnlyHub(address caller, address hub);
    error DepositHoldsLess(uint256 held, uint256 amount);
    error FeeGasTooLow(uint256 gasLeft, uint256 gasNeeded);

    /// @dev What the fee's transfer may use. A token that burns all of it leaves enough to go on.
    uint256 private constant FEE_GAS = 100_000;
    /// @dev FEE_GAS, the 64th that EIP-150 holds back, and what the hub needs to record a refused fee.
    uint256 private constant FEE_GAS_NEEDED = 145_000;

    address private immutable HUB;

    constructor() {
        HUB = msg.sender;
    }

    /// @notice Pays one receiver, and the fee to the collector.
    /// 1. Only the hub may call.
    /// 2. The clone must hold both parts, so that what happens next is the token's verdict alone.
    /// 3. The receiver is paid; if the token refuses, everything is undone with the token's reason.
    /// 4. The collector is paid. If the token refuses that (a blacklisted collector), the receiver
    ///    keeps its money and the fee stays here. There must be enough gas left for the refusal to be
    ///    the token's, else everything is undone.
    /// @param amount The receiver's part, in base units; zero skips it.
    /// @param fee The collector's part, in base units; zero skips it.
    /// @return feePaid Whether the collector got the fee.
    function pay(address token, address to, uint256 amount, address collector, uint256 fee)
        external
        returns (bool feePaid)
    {
        if (msg.sender != HUB) revert OnlyHub(msg.sender, HUB);
        uint256 held = SafeTransferLib.balanceOf(token, address(this));
        if (held < amount + fee) revert DepositHoldsLess(held, amount + fee);
        if (amount != 0) TokenTransfer.transfer(token, to, amount);
        if (fee != 0) {
            if (gasleft() < FEE_GAS_NEEDED) revert FeeGasTooLow(gasleft(), FEE_GAS_NEEDED);
            (, feePaid) = TokenTransfer.attempt(token, collector, fee, FEE_GAS);
        }
    }
}
