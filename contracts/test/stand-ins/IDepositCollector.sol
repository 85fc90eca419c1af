// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

/// @title IDepositCollector
/// @notice Channels call it to bring a payer's tokens to the caller.
interface IDepositCollector {
    function collect(
        address payer,
        address token,
        uint256 amount,
        bytes32 channelId,
        bytes calldata collectorData
    ) external;
}
