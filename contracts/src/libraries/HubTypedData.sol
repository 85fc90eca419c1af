// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {IRemitHub} from "../interfaces/IRemitHub.sol";

/// @title HubTypedData
/// @notice EIP-712 digests of the two things that are signed for a hub.
library HubTypedData {
    bytes32 private constant NAME_HASH = keccak256("Remit Hub");
    bytes32 private constant VERSION_HASH = keccak256("2");
    bytes32 private constant DOMAIN_EVERY_CHAIN =
        keccak256("EIP712Domain(string name,string version,address verifyingContract)");
    bytes32 private constant DOMAIN_ONE_CHAIN = keccak256(
        "EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)"
    );
    bytes32 private constant MERCHANT_CONFIG = keccak256(
        "MerchantConfig(bytes16 merchantId,address treasury,uint16 feeBps,uint40 feeCap,uint32 version)"
    );
    bytes32 private constant REFUND = keccak256(
        "Refund(uint256 refundId,address source,address token,address to,uint256 amount,uint256 feeLeft,uint256 deadline)"
    );

    /// @notice The domain of configurations. It names no chain: one signature serves all of them.
    function everyChainDomain(address hub) internal pure returns (bytes32) {
        return keccak256(abi.encode(DOMAIN_EVERY_CHAIN, NAME_HASH, VERSION_HASH, hub));
    }

    /// @notice The domain of refunds, which move the money of one chain.
    function oneChainDomain(address hub, uint256 chainId) internal pure returns (bytes32) {
        return keccak256(abi.encode(DOMAIN_ONE_CHAIN, NAME_HASH, VERSION_HASH, chainId, hub));
    }

    function configDigest(IRemitHub.MerchantConfig calldata config, address hub)
        internal
        pure
        returns (bytes32)
    {
        bytes32 structHash = keccak256(
            abi.encode(
                MERCHANT_CONFIG,
                config.merchantId,
                config.treasury,
                config.feeBps,
                config.feeCap,
                config.version
            )
        );
        return keccak256(abi.encodePacked("\x19\x01", everyChainDomain(hub), structHash));
    }

    function refundDigest(IRemitHub.Refund calldata refund, address hub, uint256 chainId)
        internal
        pure
        returns (bytes32)
    {
        bytes32 structHash = keccak256(
            abi.encode(
                REFUND,
                refund.refundId,
                refund.source,
                refund.token,
                refund.to,
                refund.amount,
                refund.feeLeft,
                refund.deadline
            )
        );
        return keccak256(abi.encodePacked("\x19\x01", oneChainDomain(hub, chainId), structHash));
    }
}
